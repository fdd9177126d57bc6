// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.io.IOException;

/** Answers requests for one path. Called by several threads; may wait, within a bound of its own. */
@FunctionalInterface
public interface WebHandler {
    /**
     * Returns the answer.
     *
     * @throws IOException if the request cannot be read, or is larger than it may be
     */
    WebAnswer answer(WebRequest request) throws IOException;
}

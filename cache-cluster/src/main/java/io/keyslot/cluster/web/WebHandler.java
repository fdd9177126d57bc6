// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.web;

import java.io.IOException;

/** Answers requests for one path. Called by several threads; may block for a limited time. */
@FunctionalInterface
public interface WebHandler {
    WebAnswer answer(WebRequest request) throws IOException;
}

// SPDX-License-Identifier: Apache-2.0

/** {@code keyslot serve}: what the commands know, on a page. */
@NullMarked
package io.keyslot.cluster.cli.serve;

import org.jspecify.annotations.NullMarked;

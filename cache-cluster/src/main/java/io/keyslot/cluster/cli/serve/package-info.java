// SPDX-License-Identifier: Apache-2.0

/** {@code keyslot serve}: the results of the commands as a page. */
@NullMarked
package io.keyslot.cluster.cli.serve;

import org.jspecify.annotations.NullMarked;

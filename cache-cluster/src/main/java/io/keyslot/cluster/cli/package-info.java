// SPDX-License-Identifier: Apache-2.0
/** The command line. Calls the other packages only. */
@NullMarked
package io.keyslot.cluster.cli;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Terminal output: tables, numbers and a progress bar, in plain ASCII and independent of the locale. */
@NullMarked
package io.keyslot.cluster.terminal;

import org.jspecify.annotations.NullMarked;

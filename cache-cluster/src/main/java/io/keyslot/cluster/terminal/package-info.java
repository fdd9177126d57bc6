// SPDX-License-Identifier: Apache-2.0
/** What a command shows: tables, numbers and a progress bar, in plain ASCII and the same in every locale. */
@NullMarked
package io.keyslot.cluster.terminal;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What calls of a cache did and answered, and checks of what no cache may answer. Pure: no clock, no thread, no I/O. */
@NullMarked
package io.keyslot.history;

import org.jspecify.annotations.NullMarked;

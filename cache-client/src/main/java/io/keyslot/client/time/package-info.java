// SPDX-License-Identifier: Apache-2.0
/** The clock, deadlines, and the one place where threads wait. */
@NullMarked
package io.keyslot.client.time;

import org.jspecify.annotations.NullMarked;

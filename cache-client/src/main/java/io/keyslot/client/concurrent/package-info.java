// SPDX-License-Identifier: Apache-2.0
/** Thread pools, the clock, deadlines, and the only code that blocks threads. */
@NullMarked
package io.keyslot.client.concurrent;

import org.jspecify.annotations.NullMarked;

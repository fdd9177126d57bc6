// SPDX-License-Identifier: Apache-2.0
/** Listeners that hear of what other processes change. */
@NullMarked
package io.keyslot.cache.event;

import org.jspecify.annotations.NullMarked;

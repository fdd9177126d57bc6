// SPDX-License-Identifier: Apache-2.0
/** Events for the changes of other processes. */
@NullMarked
package io.keyslot.cache.event;

import org.jspecify.annotations.NullMarked;

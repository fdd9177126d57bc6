// SPDX-License-Identifier: Apache-2.0
/** One entry of a cache: its value, its stamp, and the changes that are atomic against everybody else's. */
@NullMarked
package io.keyslot.client.entry;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Changes that wait to be written: {@link io.keyslot.client.writebehind.WriteBehind} is the way in. */
@NullMarked
package io.keyslot.client.writebehind;

import org.jspecify.annotations.NullMarked;

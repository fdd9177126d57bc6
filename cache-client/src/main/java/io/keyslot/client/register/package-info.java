// SPDX-License-Identifier: Apache-2.0
/**
 * A register that a majority of a few instances agree on, while any of them may forget everything at any time. It holds a
 * text, of which it knows nothing but its version.
 *
 * <p>Pure, but for {@link io.keyslot.client.register.Register}, which sends what {@link
 * io.keyslot.client.register.Round} says.
 */
@NullMarked
package io.keyslot.client.register;

import org.jspecify.annotations.NullMarked;

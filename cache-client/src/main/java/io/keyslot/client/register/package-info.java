// SPDX-License-Identifier: Apache-2.0
/**
 * A register that a majority of a few instances agree on, although any of them may lose its memory at any time. It stores a
 * text with a version.
 *
 * <p>Pure, except {@link io.keyslot.client.register.Register}, which sends the messages of {@link
 * io.keyslot.client.register.Round}.
 */
@NullMarked
package io.keyslot.client.register;

import org.jspecify.annotations.NullMarked;

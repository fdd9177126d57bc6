// SPDX-License-Identifier: Apache-2.0
/**
 * A register for a versioned text, agreed on by a majority of a few instances, any of which may lose its memory at any
 * time.
 *
 * <p>Pure, except {@link io.keyslot.client.register.Register}, which sends the messages of
 * {@link io.keyslot.client.register.Round}.
 */
@NullMarked
package io.keyslot.client.register;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Application keys as text, {@code entity_type:ID}, and back. {@link io.keyslot.client.key.TextKeyCodec} assembles the
 * parts; the text forms are described in {@code docs/keys.md}.
 */
@NullMarked
package io.keyslot.client.key;

import org.jspecify.annotations.NullMarked;

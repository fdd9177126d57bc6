// SPDX-License-Identifier: Apache-2.0
/** Application keys as text, {@code entity_type:ID}; {@code docs/values.md} describes the text forms. */
@NullMarked
package io.keyslot.client.key;

import org.jspecify.annotations.NullMarked;

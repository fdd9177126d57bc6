// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.EncodedKey;

/**
 * What is known of an aggregate.
 *
 * @param sizeBytes about the bytes of its elements; servers count what they need besides
 * @param expiresInMillis the time until it expires; negative if it does not
 */
public record AggregateDescription(EncodedKey key, AggregateKind kind, long sizeBytes, long expiresInMillis) {}

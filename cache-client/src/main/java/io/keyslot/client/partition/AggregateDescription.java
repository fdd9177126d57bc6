// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.AggregateKind;
import io.keyslot.client.stored.EncodedKey;

/** An aggregate with its approximate size on the server; {@code expiresInMillis} is negative if it does not expire. */
public record AggregateDescription(EncodedKey key, AggregateKind kind, long sizeBytes, long expiresInMillis) {}

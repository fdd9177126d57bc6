// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Lookup;

/**
 * The properties of an entry. The size is 0 if nothing is stored; {@code expiresInMillis} is negative if it does not
 * expire or nothing is stored; {@code epoch} is that of valid entries.
 */
public record Description(Lookup lookup, long sizeBytes, long expiresInMillis, int epoch) {}

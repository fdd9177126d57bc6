// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Lookup;

/**
 * What is known of an entry.
 *
 * @param lookup the entry, or why there is none
 * @param sizeBytes the bytes of what is stored, 0 if there is nothing
 * @param expiresInMillis the time until it expires; negative if it does not, or there is nothing
 * @param epoch the epoch that a valid entry has
 */
public record Description(Lookup lookup, long sizeBytes, long expiresInMillis, int epoch) {}

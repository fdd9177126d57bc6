// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Lookup;

/**
 * What is in an entry's place after somebody wanted to reserve it.
 *
 * @param now what is there
 * @param expiresInMillis the time that the entry had left until it would have expired; negative if it would not, or if there
 *     is none
 */
public record Reservation(Lookup now, long expiresInMillis) {}

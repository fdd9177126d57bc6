// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.stored.Lookup;

/**
 * The state of an entry after an attempt to reserve it, and the time that it had left before; negative if it would not
 * expire or if there is none.
 */
public record Reservation(Lookup now, long expiresInMillis) {}

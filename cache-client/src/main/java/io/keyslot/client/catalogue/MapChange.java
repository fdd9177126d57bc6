// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

/**
 * A change that was made.
 *
 * @param version of the map after it; that of the change before if only those who decide on the map have changed
 * @param operation its id
 */
public record MapChange(long version, String operation) {}

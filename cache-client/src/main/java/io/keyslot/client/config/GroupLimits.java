// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/**
 * The limits of groups.
 *
 * @param entries the entries and aggregates of one group, above which it is reported; 100,000 by default
 * @param bytes the bytes of one group, see {@link io.keyslot.cache.GroupSize#bytes}; 256 MiB by default
 */
public record GroupLimits(long entries, long bytes) {}

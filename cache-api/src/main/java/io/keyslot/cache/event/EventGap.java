// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache.event;

import java.util.Objects;

/**
 * Changes of entries at one partition that may be missing among the events so far. Later changes are published.
 *
 * @param partition the name of the partition
 */
public record EventGap(String partition) {
    public EventGap {
        Objects.requireNonNull(partition, "partition");
    }
}

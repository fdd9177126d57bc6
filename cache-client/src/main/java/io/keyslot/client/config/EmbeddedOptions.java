// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

/**
 * The bytes of keys and values after which one embedded partition evicts entries; 256 MiB by default. Each partition
 * may use this much of the heap.
 */
public record EmbeddedOptions(long maximumSize) {
    public static final long SMALLEST = 64L << 10;
    public static final long LARGEST = 1L << 40;

    public EmbeddedOptions {
        if (maximumSize < SMALLEST || maximumSize > LARGEST) {
            throw new IllegalArgumentException("Embedded options: maximumSize is %d, must be from %d to %d"
                    .formatted(maximumSize, SMALLEST, LARGEST));
        }
    }

    public static EmbeddedOptions defaults() {
        return new EmbeddedOptions(256L << 20);
    }
}

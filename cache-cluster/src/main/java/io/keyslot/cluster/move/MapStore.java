// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.PartitionMap;
import java.util.concurrent.CompletableFuture;

/** The catalogue as a coordinator sees it. May block; for one thread at a time. */
public interface MapStore {
    enum Stored {
        /** The map is stored. */
        DONE,
        /** Another map is stored, and this one never will be. */
        CONFLICT,
        /** Unknown. It may be stored even later, unless another map with the same predecessor is. */
        UNKNOWN
    }

    /** Returns the last map that was agreed on. */
    PartitionMap read() throws UnavailableException;

    /**
     * Reads the map for display, as {@link #read} does, without delaying writers. A map in progress may be stored later.
     */
    default PartitionMap look() throws UnavailableException {
        return read();
    }

    /** Stores the next map if {@code before} is still the current one. */
    Stored compareAndSet(PartitionMap before, PartitionMap next);

    /** A map that is ready to be stored. */
    @FunctionalInterface
    interface Prepared {
        /** Stores the map, once, without blocking. Any thread may call it, and the answer may come on any. */
        CompletableFuture<Stored> store();
    }

    /** Does as much of {@link #compareAndSet} as possible in advance. Has no effect without {@link Prepared#store}. */
    Prepared prepare(PartitionMap before, PartitionMap next);

    /** The map cannot be read at present. */
    final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1;

        public UnavailableException(String message) {
            super(message);
        }
    }
}

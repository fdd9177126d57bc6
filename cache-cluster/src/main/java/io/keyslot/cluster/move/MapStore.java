// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.move;

import io.keyslot.client.map.PartitionMap;
import java.util.concurrent.CompletableFuture;

/** Where the map is agreed on, as a coordinator sees it. May wait; used by one thread at a time. */
public interface MapStore {
    /** What became of an attempt to store a map. */
    enum Stored {
        /** It is the map now. */
        DONE,
        /** It is not, and will not be: another one is. */
        CONFLICT,
        /** Nobody knows. It may be stored later still, unless another map that was made from the same one is. */
        UNKNOWN
    }

    /**
     * Returns the map that was agreed on last.
     *
     * @throws UnavailableException if nobody can say
     */
    PartitionMap read() throws UnavailableException;

    /**
     * As {@link #read}, for who only shows it: nobody who stores a map is held up. A map whose storing was begun may be stored later
     * still.
     */
    default PartitionMap look() throws UnavailableException {
        return read();
    }

    /** Stores the next map if the one before is still the map. */
    Stored compareAndSet(PartitionMap before, PartitionMap next);

    /** A map that is ready to be stored. */
    @FunctionalInterface
    interface Prepared {
        /** As {@link MapStore#compareAndSet}; once. Does not wait: any thread may call it, and the answer may come on any. */
        CompletableFuture<Stored> store();
    }

    /**
     * Does all of {@link #compareAndSet} that can be done before others wait for it. It may be left at that, and then nothing has
     * happened.
     */
    Prepared prepare(PartitionMap before, PartitionMap next);

    /** The map cannot be read at present. */
    final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1;

        public UnavailableException(String message) {
            super(message);
        }
    }
}

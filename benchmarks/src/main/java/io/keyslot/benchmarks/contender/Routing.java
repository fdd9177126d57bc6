// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.slot.HashSlot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Spreads keys over servers by the CRC-16 of Redis Cluster, in equal ranges of slots. Immutable. */
final class Routing {
    private static final int SLOTS = 16_384;

    private final int servers;

    Routing(int servers) {
        this.servers = servers;
    }

    int server(byte[] key) {
        return HashSlot.of(key) * servers / SLOTS;
    }

    /** Returns the keys of a batch by server, without servers that have none. */
    List<Share> split(Batch batch) {
        List<Long> ids = batch.ids();
        Share[] shares = new Share[servers];
        Arrays.setAll(shares, server -> new Share(server, ids.size()));
        for (int i = 0; i < ids.size(); i++) {
            byte[] key = Keys.bytes(ids.get(i));
            shares[server(key)].add(key, i);
        }
        List<Share> used = new ArrayList<>(servers);
        for (Share share : shares) {
            if (share.size() > 0) {
                used.add(share);
            }
        }
        return used;
    }

    static final class Share {
        private final int server;
        private final byte[][] keys;
        private final int[] places;
        private int size;

        private Share(int server, int capacity) {
            this.server = server;
            keys = new byte[capacity][];
            places = new int[capacity];
        }

        private void add(byte[] key, int place) {
            keys[size] = key;
            places[size++] = place;
        }

        int server() {
            return server;
        }

        int size() {
            return size;
        }

        byte[] key(int i) {
            return keys[i];
        }

        /** Returns the index in the batch of the i-th key. */
        int place(int i) {
            return places[i];
        }

        byte[][] keys() {
            return Arrays.copyOf(keys, size);
        }
    }
}

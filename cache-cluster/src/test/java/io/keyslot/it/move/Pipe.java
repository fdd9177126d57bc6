// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.move;

import io.keyslot.client.map.MapDocument;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.it.MapInMemory;
import io.keyslot.it.OtherJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/** How another process asks this one for the map, and says what it is about to do: a line each way. */
final class Pipe {
    static final String READ = "READ";
    static final String STORE = "STORE ";
    static final String STEP = "STEP ";
    static final String OVER = "OVER ";
    static final String ACKNOWLEDGED = "ACKNOWLEDGED ";
    static final String FAILED = "FAILED ";
    private static final String GO = "GO";

    private Pipe() {}

    /** The end of the process that asks: it waits for each answer. */
    static final class Asking implements MapStore {
        private final BufferedReader answers =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

        synchronized String ask(String line) {
            System.out.println(line);
            try {
                String answer = answers.readLine();
                if (answer == null) {
                    throw new IllegalStateException("nobody answers any more");
                }
                return answer;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public PartitionMap read() {
            return MapDocument.read(Base64.getDecoder().decode(ask(READ))).map();
        }

        @Override
        public Stored compareAndSet(PartitionMap before, PartitionMap next) {
            return Stored.valueOf(ask(STORE + text(next)));
        }

        @Override
        public Prepared prepare(PartitionMap before, PartitionMap next) {
            return () -> CompletableFuture.supplyAsync(() -> compareAndSet(before, next));
        }

        void step(String name) {
            String unused = ask(STEP + name);
        }
    }

    private static String text(PartitionMap map) {
        return Base64.getEncoder().encodeToString(MapDocument.of(map).bytes());
    }

    /** Answers a line about the map; returns whether it was one. */
    static boolean isAnswered(OtherJvm other, String line, MapInMemory maps) throws IOException {
        if (line.equals(READ)) {
            other.say(text(maps.read()));
            return true;
        } else if (line.startsWith(STORE)) {
            PartitionMap next = MapDocument.read(Base64.getDecoder().decode(line.substring(STORE.length())))
                    .map();
            PartitionMap before = maps.read();
            other.say((before.version() == next.parent() ? maps.compareAndSet(before, next) : MapStore.Stored.CONFLICT)
                    .name());
            return true;
        }
        return false;
    }

    static void letGo(OtherJvm other) throws IOException {
        other.say(GO);
    }
}

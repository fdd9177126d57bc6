// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.history.Action;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What one process is to do.
 *
 * @param process its name, the beginning of the names of its threads
 * @param number from 0
 * @param parentPort of the {@link Database}
 * @param isThrough whether the caches are in front of that database; otherwise they are registers
 * @param history the file to write
 * @param extras what happens besides
 * @param settings of the cache manager
 */
record Workload(
        String process,
        int number,
        int parentPort,
        boolean isThrough,
        long seed,
        Path history,
        List<String> addresses,
        Set<Extra> extras,
        Map<String, String> settings) {
    private static final String SEPARATOR = ",";

    static final int PROCESSES = 2;
    static final int THREADS = 8;

    Workload {
        addresses = List.copyOf(addresses);
        extras = Set.copyOf(extras);
        settings = Map.copyOf(settings);
    }

    String[] toArguments() {
        List<String> arguments = new ArrayList<>(List.of(
                process,
                Integer.toString(number),
                Integer.toString(parentPort),
                Boolean.toString(isThrough),
                Long.toString(seed),
                history.toString(),
                String.join(SEPARATOR, addresses),
                extras.stream().map(Extra::name).collect(Collectors.joining(SEPARATOR))));
        new TreeMap<>(settings).forEach((name, value) -> arguments.add(name + "=" + value));
        return arguments.toArray(String[]::new);
    }

    static Workload parse(String[] arguments) {
        Map<String, String> settings = new TreeMap<>();
        Arrays.stream(arguments).skip(8).forEach(setting -> {
            int end = setting.indexOf('=');
            settings.put(setting.substring(0, end), setting.substring(end + 1));
        });
        return new Workload(
                arguments[0],
                Integer.parseInt(arguments[1]),
                Integer.parseInt(arguments[2]),
                Boolean.parseBoolean(arguments[3]),
                Long.parseLong(arguments[4]),
                Path.of(arguments[5]),
                List.of(arguments[6].split(SEPARATOR, -1)),
                Arrays.stream(arguments[7].split(SEPARATOR, -1))
                        .filter(name -> !name.isEmpty())
                        .map(Extra::valueOf)
                        .collect(Collectors.toSet()),
                settings);
    }

    /** Returns the file for the times in which the machine stalled. */
    Path stalls() {
        return history.resolveSibling(history.getFileName() + ".stalls");
    }

    /** Returns the file for the times in which the process may have used a journal. */
    Path journals() {
        return history.resolveSibling(history.getFileName() + ".journals");
    }

    /** Returns the file for what the listener heard. */
    Path heard() {
        return history.resolveSibling(history.getFileName() + ".heard");
    }

    /** Returns the numbers of what is not one of the threads that call. */
    Random random() {
        return random(-1 - number);
    }

    private Random random(int user) {
        return new Random(seed * 31 + user);
    }

    /** Returns what a thread of this process calls. */
    Script script(int thread) {
        int global = number * THREADS + thread;
        Random random = random(global);
        return isThrough ? new VersionScript(random, global, PROCESSES * THREADS) : new RegisterScript(random, global);
    }

    /**
     * Four reads out of five, of all keys; writes of increasing versions to the keys that this thread owns.
     *
     * <p>A key has one owner, as the order in which two writers reach the database need not be that in which they reach the
     * cache. Half of the calls are about a few keys that everybody reads.
     */
    private static final class VersionScript implements Script {
        static final int HOT_PER_THREAD = 2;
        static final int COLD_PER_THREAD = 100;

        private final Random random;
        private final int thread;
        private final int threads;
        private final Map<String, Long> versions = new HashMap<>();

        VersionScript(Random random, int thread, int threads) {
            this.random = random;
            this.thread = thread;
            this.threads = threads;
        }

        @Override
        public Call next() {
            int kind = random.nextInt(100);
            if (kind < 80) {
                return Call.get(key(random.nextInt(threads)));
            }
            String key = key(thread);
            long version = versions.merge(key, 1L, Long::sum);
            if (kind < 93) {
                return Call.of(Action.PUT, key, version);
            }
            return Call.of(kind < 95 ? Action.REMOVE : Action.EXCHANGE, key, version);
        }

        private String key(int owner) {
            return random.nextBoolean()
                    ? "hot:%d.%d".formatted(owner, random.nextInt(HOT_PER_THREAD))
                    : "cold:%d.%d".formatted(owner, random.nextInt(COLD_PER_THREAD));
        }
    }
}

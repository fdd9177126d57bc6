// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import io.keyslot.cache.PartitionedCache;
import io.keyslot.race.Racer;
import io.keyslot.race.RacingCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.cache.CacheManager;
import org.jspecify.annotations.Nullable;

/**
 * A process of its own that makes racing calls. It is told by a line what to do, and answers by a line.
 *
 * <ul>
 *   <li>{@code open name seed}: make the cache that {@link RaceCaches} draws
 *   <li>{@code call CALL value}: make the call, and answer {@code key=answer} for each entry
 *   <li>{@code found -}: answer {@code key=value} for each entry that is there
 *   <li>{@code flush -}, {@code destroy name}
 * </ul>
 *
 * <p>For use by one thread.
 */
final class RacingJvm implements Racer, AutoCloseable {
    private static final String READY = "ready";
    private static final String DONE = "done";

    private final OtherJvm jvm;

    private RacingJvm(OtherJvm jvm) {
        this.jvm = jvm;
    }

    /** @param port that of the {@link RowServer} */
    static RacingJvm start(List<String> addresses, int port) throws IOException {
        OtherJvm jvm = OtherJvm.start(Main.class, Integer.toString(port), String.join(",", addresses));
        jvm.awaitLine(READY);
        return new RacingJvm(jvm);
    }

    void open(String name, long seed) {
        tell("open %s %d".formatted(name, seed));
    }

    void flush() {
        tell("flush -");
    }

    void destroy(String name) {
        tell("destroy " + name);
    }

    private void tell(String line) {
        String answer = ask(line);
        if (!answer.equals(DONE)) {
            throw new IllegalStateException(line + ": " + answer);
        }
    }

    private String ask(String line) {
        try {
            jvm.say(line);
            return jvm.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, Object> call(RacingCall call, String mine) {
        Map<String, Object> answers = new LinkedHashMap<>();
        pairs(ask("call %s %s".formatted(call, mine)))
                .forEach((key, said) -> answers.put(
                        key, said.equals("true") || said.equals("false") ? (Object) Boolean.valueOf(said) : said));
        return answers;
    }

    @Override
    public Map<String, @Nullable String> found() {
        return new LinkedHashMap<>(pairs(ask("found -")));
    }

    private static Map<String, String> pairs(String line) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : List.of(line.split(";", -1))) {
            int middle = pair.indexOf('=');
            if (middle > 0) {
                pairs.put(pair.substring(0, middle), pair.substring(middle + 1));
            }
        }
        return pairs;
    }

    private static String lineOf(Map<String, ?> pairs) {
        List<String> texts = new ArrayList<>();
        pairs.forEach((key, value) -> {
            if (value != null) {
                texts.add(key + "=" + value);
            }
        });
        return String.join(";", texts);
    }

    /** Ends the process without any farewell: {@code kill -9}. */
    @Override
    public void close() {
        jvm.close();
    }

    /** What the process does. */
    static final class Main {
        private final CacheManager manager;
        private final RemoteRows database;
        private @Nullable PartitionedCache<String, String> cache;

        private Main(CacheManager manager, RemoteRows database) {
            this.manager = manager;
            this.database = database;
        }

        public static void main(String[] arguments) throws Exception {
            RemoteRows database = new RemoteRows(Integer.parseInt(arguments[0]));
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try (CacheManager manager =
                    KeyslotManagers.openPatiently("races-2", List.of(arguments[1].split(",", -1)))) {
                Main main = new Main(manager, database);
                System.out.println(READY);
                for (String line = input.readLine(); line != null; line = input.readLine()) {
                    System.out.println(main.answer(line.split(" ", -1)));
                }
            }
        }

        private String answer(String[] words) {
            switch (words[0]) {
                case "open" ->
                    cache = RaceCaches.draw(Long.parseLong(words[2]))
                            .inTwoProcesses()
                            .create(manager, words[1], database);
                case "call" -> {
                    return lineOf(Racer.of(cache()).call(RacingCall.valueOf(words[1]), words[2]));
                }
                case "found" -> {
                    return lineOf(Racer.of(cache()).found());
                }
                case "flush" -> {
                    return cache().flushWrites(Duration.ofMinutes(1)) ? DONE : "not flushed";
                }
                case "destroy" -> manager.destroyCache(words[1]);
                default -> throw new IllegalArgumentException(words[0]);
            }
            return DONE;
        }

        private PartitionedCache<String, String> cache() {
            return Objects.requireNonNull(cache, "open comes first");
        }
    }
}

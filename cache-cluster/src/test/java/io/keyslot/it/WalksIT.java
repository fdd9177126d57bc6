// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.ClientAssembly;
import io.keyslot.client.jcache.KeyslotCachingProvider;
import io.keyslot.client.partition.redis.RedisConnection;
import io.keyslot.cluster.local.LocalServers;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The classes that a call passes on an instance are those that the architecture's document names, in this order. */
@SideBySide
class WalksIT {
    private static final Path DOCUMENT = Path.of("../docs/architecture.md");

    /** Where the caller waits for the reply. */
    private static final String BOTTOM = "DrivenEventLoop";

    /** The goal for a hit of {@code get}. */
    private static final int MOST_CLASSES = 20;

    /** A reply may be there before its caller has waited at all. */
    private static final int CALLS = 2_000;

    private final WatchedClockwork clockwork = new WatchedClockwork();
    private final LocalServers servers = LocalServers.create();
    private final KeyslotCachingProvider provider =
            new KeyslotCachingProvider(new ClientAssembly(clockwork, options -> {
                throw new IllegalStateException("nothing is embedded here");
            }));
    private final Cache<Long, String> cache = cache();

    private Cache<Long, String> cache() {
        Properties properties = new Properties();
        properties.putAll(KeyslotManagers.LONG_DEADLINES);
        properties.setProperty(
                "keyslot.partitions", "redis://127.0.0.1:" + servers.start().port());
        CacheManager manager =
                provider.getCacheManager(URI.create("walks"), WalksIT.class.getClassLoader(), properties);
        return manager.createCache(
                "customer", new MutableConfiguration<Long, String>().setTypes(Long.class, String.class));
    }

    @AfterEach
    void close() {
        provider.close();
        servers.close();
    }

    @Test
    void get_passesTheClassesOfTheDocument_downward() throws IOException {
        cache.put(99L, "Ada");

        List<String> walk = walkOf(() -> cache.get(99L));

        assertThat(walk).isEqualTo(documented("get")).doesNotHaveDuplicates();
        assertThat(walk.size() + documented("sent").size()).isLessThanOrEqualTo(MOST_CLASSES);
    }

    @Test
    void put_passesTheClassesOfTheDocument_andTurnsBackOnceAtMost() throws IOException {
        List<String> walk = walkOf(() -> {
            cache.put(99L, "Ada");
            return true;
        });

        assertThat(walk).isEqualTo(documented("put"));
        assertThat(walk.size() - new HashSet<>(walk).size()).isLessThanOrEqualTo(1);
    }

    @Test
    void whatIsSent_goesFromOneToTheNext() throws IOException {
        Class<?> present = RedisConnection.class;
        for (String next : documented("sent")) {
            present = Stream.of(present.getDeclaredFields())
                    .map(Field::getType)
                    .filter(type -> type.getSimpleName().equals(next))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(next + " is not what the one before it holds"));
        }
    }

    private List<String> walkOf(Supplier<?> call) {
        for (int i = 0; i < CALLS; i++) {
            for (List<String> walk : clockwork.walksOf(call)) {
                int bottom = walk.indexOf(BOTTOM);
                if (bottom >= 0) {
                    return walk.subList(0, bottom + 1);
                }
            }
        }
        throw new AssertionError("No call has waited in " + BOTTOM);
    }

    private static List<String> documented(String walk) throws IOException {
        Matcher block = Pattern.compile("(?m)^%s +((?:[\\w→ ]|\\n +→)+)$".formatted(walk))
                .matcher(Files.readString(DOCUMENT));
        assertThat(block.find()).as("a walk %s in %s", walk, DOCUMENT).isTrue();
        return Arrays.asList(block.group(1).strip().split("\\s*→\\s*"));
    }
}

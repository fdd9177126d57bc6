// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.measure.ClassPath;
import io.keyslot.benchmarks.report.RunFacts;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Collects the facts of a run. */
final class Facts {
    /** Libraries that affect the results. */
    private static final Pattern LIBRARY = Pattern.compile(
            "(keyslot-client|lettuce-core|netty-transport|jedis|redisson|spring-data-redis|caffeine|kryo5|jmh-core)"
                    + "-(\\d[^/]*)\\.jar");

    private static final Pattern SERVER_NAME = Pattern.compile("(?m)^server_name:(\\w+)");
    private static final Pattern VALKEY_VERSION = Pattern.compile("(?m)^valkey_version:(\\S+)");
    private static final Pattern REDIS_VERSION = Pattern.compile("(?m)^redis_version:(\\S+)");

    private Facts() {}

    static RunFacts of(Instant now, String command, BenchmarkServers servers, String method) {
        return new RunFacts(
                now.truncatedTo(ChronoUnit.SECONDS).toString(),
                command,
                System.getProperty("java.version"),
                String.join(
                        " ",
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("os.arch")),
                Runtime.getRuntime().availableProcessors(),
                serverVersion(infoOf(servers)),
                libraries(),
                method);
    }

    private static String infoOf(BenchmarkServers servers) {
        RedisClient client =
                RedisClient.create(RedisURI.create(servers.processes().get(0).uri()));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().info("server");
        } finally {
            client.shutdown();
        }
    }

    /** Parses {@code INFO server}; Valkey also reports the version of Redis that it is compatible with. */
    static String serverVersion(String info) {
        String name = first(SERVER_NAME, info).orElse("redis");
        String version =
                first(VALKEY_VERSION, info).or(() -> first(REDIS_VERSION, info)).orElse("(unknown version)");
        return name + " " + version;
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static Map<String, String> libraries() {
        Map<String, String> versions = new TreeMap<>();
        ClassPath.entries().stream()
                .map(jar -> LIBRARY.matcher(jar.getFileName().toString()))
                .filter(Matcher::matches)
                .map(Matcher::toMatchResult)
                .forEach((MatchResult library) -> versions.put(library.group(1), library.group(2)));
        return versions;
    }
}

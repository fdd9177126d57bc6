// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.control;

import io.keyslot.client.partition.TrafficCommand.Counters;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What {@code INFO stats} says. Servers that a provider runs may leave out any of it: then nothing is known. Pure. */
final class StatsInfo {
    private static final Pattern LINE = Pattern.compile("(?m)^([a-z_]+):(\\d{1,18})\\s*$");

    private StatsInfo() {}

    static Optional<Counters> read(String info) {
        Map<String, Long> numbers = new HashMap<>();
        LINE.matcher(info).results().forEach(line -> numbers.put(line.group(1), Long.valueOf(line.group(2))));
        Long commands = numbers.get("total_commands_processed");
        Long found = numbers.get("keyspace_hits");
        Long missed = numbers.get("keyspace_misses");
        Long evicted = numbers.get("evicted_keys");
        Long expired = numbers.get("expired_keys");
        return commands == null || found == null || missed == null || evicted == null || expired == null
                ? Optional.empty()
                : Optional.of(new Counters(commands, found, missed, evicted, expired));
    }
}

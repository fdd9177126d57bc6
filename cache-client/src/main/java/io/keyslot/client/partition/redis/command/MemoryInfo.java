// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.SlotTransfer.MemoryUse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code INFO memory}. Managed servers may omit any line. Free of I/O. */
final class MemoryInfo {
    private static final Pattern USED = Pattern.compile("(?m)^used_memory:(\\d{1,18})\\s*$");
    private static final Pattern MOST = Pattern.compile("(?m)^maxmemory:(\\d{1,18})\\s*$");

    private MemoryInfo() {}

    static MemoryUse read(String info, long keys) {
        return new MemoryUse(find(USED, info), find(MOST, info), keys);
    }

    private static long find(Pattern pattern, String info) {
        Matcher matcher = pattern.matcher(info);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
}

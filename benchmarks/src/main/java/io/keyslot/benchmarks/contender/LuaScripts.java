// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

/** The scripts of plain clients for operations that have no single command. */
final class LuaScripts {
    /** Replaces a value, keeping its expiry, if it is unchanged; returns 1 if it was replaced. */
    static final String COMPARE_AND_SET = """
            if redis.call('GET', KEYS[1]) == ARGV[1] then
              redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
              return 1
            end
            return 0
            """;

    /** Replaces two values of one slot if both are unchanged (empty means none); returns 1 if they were replaced. */
    static final String COMPARE_AND_SET_BOTH = """
            for i = 1, 2 do
              if (redis.call('GET', KEYS[i]) or '') ~= ARGV[i] then
                return 0
              end
            end
            redis.call('MSET', KEYS[1], ARGV[3], KEYS[2], ARGV[4])
            return 1
            """;

    private LuaScripts() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

/** The scripts that plain clients need for what one command does not do. */
final class LuaScripts {
    /** Replaces a value, whose expiry stays, if it is still the one that was read; 1 if it was. */
    static final String COMPARE_AND_SET = """
            if redis.call('GET', KEYS[1]) == ARGV[1] then
              redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
              return 1
            end
            return 0
            """;

    private LuaScripts() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import io.keyslot.cache.CacheGroup;
import io.keyslot.cache.EntityKey;
import io.keyslot.cache.GroupView;
import io.keyslot.cache.PartitionedCacheManager;
import io.keyslot.cache.RemoteHash;
import io.keyslot.it.KeyslotManagers;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Accounts of one group, each a hash with the amount and the transfers that it has received. */
final class Transfers {
    static final int ACCOUNTS = 50;
    static final long TOTAL = 5_000;

    private static final EntityKey BANK = EntityKey.of("bank", "one");
    private static final String AMOUNT = "amount";
    private static final String RECEIVED = "from-";

    private Transfers() {}

    static PartitionedCacheManager open(String name, List<String> addresses) {
        return KeyslotManagers.open(
                        name,
                        addresses,
                        Map.of(
                                "keyslot.deadlines.connect",
                                "2s",
                                "keyslot.deadlines.call",
                                "3s",
                                "keyslot.deadlines.command",
                                "1s"))
                .unwrap(PartitionedCacheManager.class);
    }

    static CacheGroup groupOf(PartitionedCacheManager manager) {
        return manager.group(BANK);
    }

    private static RemoteHash<String, Long> account(GroupView view, int number) {
        return view.hash(EntityKey.of("account", number).in(BANK), String.class, Long.class);
    }

    static void openAccounts(CacheGroup group) {
        for (int i = 0; i < ACCOUNTS; i++) {
            account(group, i).put(AMOUNT, TOTAL / ACCOUNTS);
        }
    }

    static void transfer(CacheGroup group, int from, int to, long amount, String id) {
        group.transactWithoutResult(transaction -> {
            account(transaction, from).increment(AMOUNT, -amount);
            account(transaction, to).increment(AMOUNT, amount);
            account(transaction, to).put(RECEIVED + id, amount);
        });
    }

    /** Returns the sum of all accounts at one moment. */
    static long total(CacheGroup group) {
        return group.transact(transaction -> {
            long total = 0;
            for (int i = 0; i < ACCOUNTS; i++) {
                Long amount = account(transaction, i).get(AMOUNT);
                total += amount == null ? 0 : amount;
            }
            return total;
        });
    }

    /** Returns the transfers that were applied. */
    static List<String> applied(CacheGroup group) {
        return IntStream.range(0, ACCOUNTS)
                .boxed()
                .flatMap(number -> account(group, number).keySet().stream())
                .filter(field -> field.startsWith(RECEIVED))
                .map(field -> field.substring(RECEIVED.length()))
                .toList();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanShare;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the changes of a plan for each partition as a table. Pure. */
final class PlanTables {
    private PlanTables() {}

    public static boolean hasLoads(Plan plan) {
        return plan.shares().stream().anyMatch(share -> share.loadBefore() > 0);
    }

    public static Table of(Plan plan) {
        return hasLoads(plan) ? loads(plan) : slots(plan);
    }

    /** Memory is shown if it is known of a partition. */
    private static Table slots(Plan plan) {
        boolean hasBytes = plan.shares().stream().anyMatch(share -> share.bytesBefore() > 0);
        List<String> headings = new ArrayList<>(List.of("Partition", "Slots now", "then", "change"));
        if (hasBytes) {
            headings.addAll(List.of("Memory now", "then about"));
        }
        Table table = new Table(headings.toArray(String[]::new));
        for (PlanShare share : plan.shares()) {
            List<String> row = new ArrayList<>(List.of(
                    share.partition().name(),
                    Amounts.count(share.slotsBefore()),
                    Amounts.count(share.slotsAfter()),
                    change(share)));
            if (hasBytes) {
                row.addAll(List.of(Amounts.mebibytes(share.bytesBefore()), Amounts.mebibytes(share.bytesAfter())));
            }
            table.row(row.toArray(String[]::new));
        }
        return table;
    }

    private static Table loads(Plan plan) {
        double total = plan.shares().stream().mapToLong(PlanShare::loadBefore).sum();
        Table table = new Table("Partition", "Load now", "share", "then", "share", "Slots now", "then", "change");
        for (PlanShare share : plan.shares()) {
            table.row(
                    share.partition().name(),
                    Amounts.count(share.loadBefore()),
                    Amounts.percent(share.loadBefore() / total),
                    Amounts.count(share.loadAfter()),
                    Amounts.percent(share.loadAfter() / total),
                    Amounts.count(share.slotsBefore()),
                    Amounts.count(share.slotsAfter()),
                    change(share));
        }
        return table;
    }

    private static String change(PlanShare share) {
        return String.format(Locale.ROOT, "%+,d", share.slotsAfter() - share.slotsBefore());
    }
}

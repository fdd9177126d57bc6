// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.show;

import io.keyslot.cluster.survey.SeenGroup;
import io.keyslot.cluster.survey.SeenGroups;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.slot.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How large groups are shown: to people as a table, to programs as JSON. Pure. */
final class GroupTables {
    private GroupTables() {}

    static List<String> lines(SeenGroups seen, long least, int top) {
        List<String> lines = new ArrayList<>();
        lines.add("Map %s; %s groups with more than %s bytes"
                .formatted(seen.map().stamp(), Amounts.count(seen.groups().size()), Amounts.count(least)));
        if (!seen.groups().isEmpty()) {
            Table table = new Table("Group", "Keys", "Bytes", "+-", "Slot", "Partition");
            seen.groups().stream()
                    .limit(top)
                    .forEach(group -> table.row(
                            group.root(),
                            Amounts.count(group.keys()),
                            Amounts.count(group.bytes()),
                            Amounts.count(group.error()),
                            Integer.toString(group.slot()),
                            ownerOf(seen, group)));
            lines.add("");
            lines.addAll(table.lines());
        }
        return lines;
    }

    private static String ownerOf(SeenGroups seen, SeenGroup group) {
        return seen.map().ownerOf(group.slot()).map(PartitionId::name).orElse("nobody");
    }

    static Map<String, Object> json(SeenGroups seen, int top) {
        return Map.of(
                "map",
                seen.map().stamp().toString(),
                "found",
                seen.groups().size(),
                "leftOutUpToBytes",
                seen.forgotten(),
                "groups",
                seen.groups().stream()
                        .limit(top)
                        .map(group -> Map.of(
                                "root", group.root(),
                                "keys", group.keys(),
                                "bytes", group.bytes(),
                                "errorBytes", group.error(),
                                "slot", group.slot(),
                                "partition", ownerOf(seen, group)))
                        .toList(),
                "notes",
                seen.notes());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.cluster.inspect.Finding;
import io.keyslot.cluster.inspect.Inspection;
import io.keyslot.cluster.inspect.Mending;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.MoveReports;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The checks of {@code keyslot check} and the repairs of {@code keyslot fix}. */
public final class Findings {
    /** About how many keys of each partition are read. */
    private static final int SAMPLE = 20_000;

    private Findings() {}

    public static List<Finding> of(OpenCatalogue catalogue) throws MapStore.UnavailableException {
        try (MoveReports moves = new MoveReports(catalogue)) {
            return new Inspection(
                            catalogue::copies,
                            catalogue.maps(),
                            moves::settled,
                            connectors(catalogue),
                            catalogue.time())
                    .run(SAMPLE);
        }
    }

    public static Mending mending(OpenCatalogue catalogue) {
        return new Mending(catalogue.catalogue(), catalogue.maps(), connectors(catalogue), catalogue.time());
    }

    private static Function<MappedPartition, PartitionConnector> connectors(OpenCatalogue catalogue) {
        return partition -> catalogue.connector(partition, Adoption.NEVER);
    }

    public static void print(Terminal terminal, OutputOptions output, List<Finding> findings, List<String> outcomes) {
        List<Map<String, String>> fields = fields(findings, outcomes);
        output.print(
                terminal,
                () -> Map.of("findings", fields),
                () -> findings.isEmpty() ? List.of("Nothing was found.") : table(fields));
    }

    public static List<Map<String, String>> fields(List<Finding> findings, List<String> outcomes) {
        List<Map<String, String>> all = new ArrayList<>();
        for (int i = 0; i < findings.size(); i++) {
            Finding finding = findings.get(i);
            all.add(fields(finding.kind(), finding.about(), finding.what(), outcomes.get(i)));
        }
        return all;
    }

    /** Returns the fields of a finding in the order of the columns of {@link #table}. */
    public static Map<String, String> fields(Enum<?> kind, String about, String what, String toDo) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("kind", ConstantText.of(kind));
        fields.put("about", about);
        fields.put("what", what);
        fields.put("to_do", toDo);
        return fields;
    }

    public static List<String> table(List<Map<String, String>> findings) {
        Table table = new Table("Finding", "About", "What", "To do");
        findings.forEach(finding -> table.row(finding.values().toArray(String[]::new)));
        return table.lines();
    }
}

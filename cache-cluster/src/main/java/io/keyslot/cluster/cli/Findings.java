// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.inspect.Finding;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Formats what {@code keyslot check} finds and {@code keyslot fix} repairs. */
final class Findings {
    private Findings() {}

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
            Map<String, String> fields = new LinkedHashMap<>(); // in the order of the columns of the table
            fields.put("kind", ConstantText.of(finding.kind()));
            fields.put("about", finding.about());
            fields.put("what", finding.what());
            fields.put("to_do", outcomes.get(i));
            all.add(fields);
        }
        return all;
    }

    public static List<String> table(List<Map<String, String>> findings) {
        Table table = new Table("Finding", "About", "What", "To do");
        findings.forEach(finding -> table.row(finding.values().toArray(String[]::new)));
        return table.lines();
    }
}

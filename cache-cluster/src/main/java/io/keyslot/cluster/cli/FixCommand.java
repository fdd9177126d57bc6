// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cluster.inspect.Finding;
import io.keyslot.cluster.inspect.Inspection;
import io.keyslot.cluster.inspect.Mending;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "fix",
        description = "Repairs those findings of keyslot check that can be repaired without effects on applications.",
        footer = {
            "It updates outdated copies of the map, and removes fences of moves that are not in the map."
                    + " For all other findings, it says what to do. Exits with 3 if findings are left.",
            "  keyslot fix --dry-run --config keyslot.yaml"
        })
final class FixCommand extends OperatorCommand {
    @Option(names = "--dry-run", description = "Show what would be done, and change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() throws MapStore.UnavailableException {
        try (OpenCatalogue catalogue = connection.catalogue()) {
            List<Finding> found = Inspection.of(catalogue);
            Mending mending = new Mending(catalogue);
            List<String> done = new ArrayList<>();
            boolean isLeft = false;
            for (Finding finding : found) {
                boolean isDone = finding.kind().isMended() && !dryRun;
                String outcome = isDone ? mending.mend(finding) : finding.remedy();
                isLeft |= !outcome.startsWith("done");
                done.add(outcome);
            }
            Table table = table(found, done);
            print(
                    () -> Map.of("findings", table.documents()),
                    () -> found.isEmpty() ? List.of("Nothing was found.") : table.lines());
            return isLeft ? ExitCode.DIFFERENT : ExitCode.OK;
        }
    }

    static Table table(List<Finding> findings, List<String> outcomes) {
        Table table = new Table("Finding=kind", "About=about", "What=what", "To do=to_do");
        for (int i = 0; i < findings.size(); i++) {
            Finding finding = findings.get(i);
            table.row(ConstantText.of(finding.kind()), finding.about(), finding.what(), outcomes.get(i));
        }
        return table;
    }
}

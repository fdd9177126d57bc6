// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.show;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.cluster.cli.shared.ConnectionOptions;
import io.keyslot.cluster.cli.shared.ExitCode;
import io.keyslot.cluster.cli.shared.OutputOptions;
import io.keyslot.cluster.load.LoadSurvey;
import io.keyslot.cluster.load.SurveyedLoad;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.survey.CacheSurvey;
import io.keyslot.cluster.survey.SeenCache;
import io.keyslot.cluster.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code keyslot stats}. */
@Command(
        name = "stats",
        description = {
            "Says what the partitions store of one cache, what its readers find, and which of its keys are read most.",
            "It goes over all keys, or some, and changes nothing."
        },
        footer = {
            "",
            "Hits, misses, their causes, loads and near caches are what clients have told in the last minutes",
            "(trafficReports): null if none has. Keys are known of caches with hotKeys: report. Entries of a group that are",
            "no cache's, such as its index, are left out. Exits with 1 if a partition does not answer, with 5 if no partition, no",
            "client and not the configuration knows the cache.",
            "",
            "Example:",
            "  keyslot stats customer --config keyslot.yaml"
        })
public final class StatsCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "<cache>", description = "The name of the cache, as the application knows it.")
    private String cache = "";

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private SampleOptions sample = new SampleOptions();

    public StatsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        long most = sample.keys();
        try (OpenCatalogue catalogue = connection.catalogue()) {
            SeenCache seen = CacheSurvey.look(catalogue, connection.options(), cache, most);
            SurveyedLoad load = new LoadSurvey(catalogue.newest(), catalogue::connector, catalogue.time(), 0).ask();
            boolean isKnown = !seen.isComplete()
                    || seen.total().entries() > 0
                    || load.caches().caches().containsKey(cache);
            requireConfigured(connection.options().caches().keySet(), isKnown);
            List<String> notes = new ArrayList<>(seen.notes());
            if (!isKnown) {
                notes.add("no partition has an entry of the cache %s: look whether its name is right".formatted(cache));
            }
            if (!load.caches().caches().containsKey(cache)) {
                notes.add("no client has told what readers of the cache %s find (trafficReports)".formatted(cache));
            }
            if (load.hot().top(cache, 1).isEmpty()) {
                notes.add("no client has told reads of the cache %s (caches.<name>.hotKeys: report)".formatted(cache));
            }
            Notes.say(terminal, notes);
            if (output.isJson()) {
                terminal.out().println(CanonicalJson.write(StatsTables.json(cache, seen, load, notes)));
            } else {
                StatsTables.lines(cache, seen, load).forEach(terminal.out()::println);
            }
            terminal.out().flush();
            return seen.isComplete() ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    /** An application may have caches that no file names; of a file without caches nothing follows. */
    private void requireConfigured(Set<String> configured, boolean isKnown) {
        if (!isKnown && !configured.isEmpty() && !configured.contains(cache)) {
            throw new RefusedException(
                    RefusedException.Kind.NOT_ALLOWED,
                    "There is no cache %s: no partition has an entry of it, no client has told of it, and the configuration has %s"
                            .formatted(cache, configured.stream().sorted().collect(Collectors.joining(", "))));
        }
    }
}

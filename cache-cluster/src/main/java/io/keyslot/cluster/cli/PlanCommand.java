// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.config.PartitionUri;
import io.keyslot.client.config.PartitionUriParser;
import io.keyslot.client.config.ValueType;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.cluster.inspect.SurveyedLoad;
import io.keyslot.cluster.plan.BalanceLimits;
import io.keyslot.cluster.plan.Measure;
import io.keyslot.cluster.plan.Plan;
import io.keyslot.cluster.plan.PlanDocument;
import io.keyslot.cluster.plan.PlanRefusedException;
import io.keyslot.cluster.plan.PlanShare;
import io.keyslot.cluster.plan.PlannedMove;
import io.keyslot.cluster.plan.Planner;
import io.keyslot.cluster.terminal.Amounts;
import io.keyslot.cluster.terminal.Table;
import io.keyslot.cluster.terminal.Table.Cell;
import io.keyslot.cluster.terminal.Terminal;
import io.keyslot.slot.PartitionId;
import io.keyslot.slot.SlotSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code keyslot plan}: writes a plan without carrying it out. */
@Command(
        name = "plan",
        synopsisSubcommandLabel = "COMMAND",
        description = "Writes a plan of moves to a file, and changes nothing.",
        footer = {
            "A plan applies to one version of the map: the newest one at the time of planning.",
            "  keyslot plan add r4=redis://10.0.0.4:6379 --config keyslot.yaml"
        })
final class PlanCommand extends TerminalCommand {
    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,4}(?:\\.[0-9]{1,3})?)%?");

    /** The rate of an estimate, which leaves most of a small server to applications. */
    private static final String RATE = "20MiB/s";

    private static final long BYTES_PER_SECOND = 20L << 20;

    static final class PlanOptions {
        @Mixin
        private ConnectionOptions connection = new ConnectionOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Option(
                names = "--out",
                paramLabel = "<file>",
                description = "Where the plan is written; by default plan-<id>.json in this directory.")
        private @Nullable Path file;
    }

    @Command(
            name = "add",
            description = "Adds a partition, and moves its share of the slots to it.",
            footer = "  keyslot plan add r4=redis://10.0.0.4:6379 --weight 2 --config keyslot.yaml")
    int add(
            @Parameters(paramLabel = "<name>=<address>", description = "Without user and password.") String partition,
            @Option(
                            names = "--weight",
                            paramLabel = "<n>",
                            defaultValue = "1",
                            description = "Its share; 1 by default. 0: no hash slots, only those of placements.")
                    int weight,
            @Mixin PlanOptions options)
            throws IOException {
        return plan(options, planner -> {
            String[] parts = partition.split("=", 2);
            if (parts.length < 2) {
                throw misused("Write name=address, such as r4=redis://10.0.0.4:6379", null);
            }
            PartitionUri address = PartitionUriParser.uri(parts[1]);
            return planner.add(MappedPartition.active(new PartitionId(parts[0]), address, weight));
        });
    }

    @Command(
            name = "remove",
            description = "Moves the slots of a partition to the others, and removes the partition.",
            footer = "  keyslot plan remove r4 --config keyslot.yaml")
    int remove(
            @Parameters(paramLabel = "<name>", description = "The partition.") String name, @Mixin PlanOptions options)
            throws IOException {
        return plan(options, planner -> planner.remove(new PartitionId(name)));
    }

    @Command(
            name = "weight",
            description = "Changes weights, and moves slots accordingly.",
            footer = "  keyslot plan weight r1=2 r2=1 --config keyslot.yaml")
    int weight(
            @Parameters(
                            arity = "1..*",
                            paramLabel = "<name>=<n>",
                            description = "New weights; with 0, only slots of placements.")
                    Map<String, Integer> weights,
            @Mixin PlanOptions options)
            throws IOException {
        Map<PartitionId, Integer> named = new TreeMap<>();
        return plan(options, planner -> {
            weights.forEach((name, weight) -> named.put(new PartitionId(name), weight));
            return planner.weigh(named);
        });
    }

    @Command(
            name = "move",
            description = "Moves slots to a partition.",
            footer = {
                "  keyslot plan move 0-99,200 --to r4 --config keyslot.yaml",
                "  keyslot plan move 0-8191 --to spare --cold --config keyslot.yaml"
            })
    int move(
            @Parameters(paramLabel = "<slots>", description = "Slots and ranges, separated by commas.") String slots,
            @Option(names = "--to", required = true, paramLabel = "<name>", description = "The partition.") String to,
            @Option(
                            names = "--cold",
                            description = {
                                "Changes the owner without copying entries; groups, locks and queues are copied.",
                                "Other entries are brought by their first use during the drain. Of the others, those of caches without a"
                                        + " loader are lost."
                            })
                    boolean isCold,
            @Option(
                            names = "--drain",
                            paramLabel = "<time>",
                            defaultValue = "10m",
                            description =
                                    "With --cold: how long the former owner keeps the entries that were not used; 10m by default.")
                    String drain,
            @Mixin PlanOptions options)
            throws IOException {
        Duration length = ValueType.DURATION_ABOVE_ZERO
                .parse(drain)
                .orElseThrow(() -> misused("--drain is %s, must be a duration such as 10m".formatted(drain), null));
        return plan(
                options,
                planner ->
                        planner.move(SlotSet.parse(slots), new PartitionId(to)).cold(isCold ? length : null));
    }

    @Command(
            name = "rebalance",
            description = {
                "Evens out calls, keys or bytes: moves slots from partitions with more than their share to those with less.",
                "It reads the reports of clients, and samples keys."
            },
            footer = {
                "Says which slot or group alone is more than a fair share, and what to do then.",
                "  keyslot plan rebalance --by calls --threshold 10%% --config keyslot.yaml"
            })
    int rebalance(
            @Option(
                            names = "--by",
                            paramLabel = "<what>",
                            defaultValue = "calls",
                            description = "keys, bytes or calls, which is the default.")
                    Measure by,
            @Option(
                            names = "--threshold",
                            paramLabel = "<percent>",
                            defaultValue = "5%",
                            description = "How far above its share a partition may be; 5%% by default.")
                    String threshold,
            @Option(
                            names = "--max-moves",
                            paramLabel = "<n>",
                            defaultValue = "4096",
                            description = "The most slots to move; 4096 by default.")
                    int mostSlots,
            @Option(
                            names = "--sample",
                            paramLabel = "<n>",
                            defaultValue = "100000",
                            description =
                                    "How many keys of each partition are sampled, approximately; 100000 by default.")
                    long keys,
            @Option(names = "--placed", description = "Also move slots of placements that are not pinned.")
                    boolean movesPlaced,
            @Mixin PlanOptions options)
            throws IOException {
        BalanceLimits limits = limits(threshold, mostSlots, movesPlaced);
        SurveyedLoad load = options.connection.load(terminal(), keys);
        List<PartitionId> unknown = load.unknown(by);
        if (!unknown.isEmpty()) {
            throw new PlanRefusedException(
                    "The %s of %s are not known: evening out would take them for idle".formatted(by.word(), unknown));
        }
        return plan(options, new Planner(load.map(), load.facts()), planner -> planner.rebalance(by, limits));
    }

    private BalanceLimits limits(String threshold, int mostSlots, boolean movesPlaced) {
        Matcher matcher = PERCENT.matcher(threshold);
        if (!matcher.matches()) {
            throw misused("--threshold is %s, must be a number of percent, such as 5%%".formatted(threshold), null);
        }
        try {
            return new BalanceLimits(Double.parseDouble(matcher.group(1)) / 100, mostSlots, movesPlaced);
        } catch (IllegalArgumentException e) {
            throw misused(ErrorLine.messageOf(e), e);
        }
    }

    private int plan(PlanOptions options, Function<Planner, Plan> request) throws IOException {
        return plan(options, options.connection.planner(terminal()), request);
    }

    private int plan(PlanOptions options, Planner planner, Function<Planner, Plan> request) throws IOException {
        return write(terminal(), planned(planner, request), options.file, options.output.isJson());
    }

    static int write(Terminal terminal, Plan plan, @Nullable Path given, boolean isJson) throws IOException {
        byte[] document = PlanDocument.write(plan);
        if (!plan.isEmpty()) {
            Path file = given == null ? Path.of("plan-" + plan.id() + ".json") : given;
            Files.write(file, document);
            terminal.err().println("Wrote plan %s for map %s to %s".formatted(plan.id(), plan.base(), file));
            terminal.err().println("The way back, when it has been applied: keyslot reverse " + file);
        }
        if (isJson) {
            terminal.out().println(new String(document, StandardCharsets.US_ASCII));
        } else {
            print(terminal, plan);
        }
        return ExitCode.OK;
    }

    private Plan planned(Planner planner, Function<Planner, Plan> request) {
        try {
            return request.apply(planner);
        } catch (ParameterException | PlanRefusedException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw misused(ErrorLine.messageOf(e), e);
        }
    }

    private static String slots(int count) {
        return Amounts.count(count) + (count == 1 ? " slot" : " slots");
    }

    private static String amount(Plan plan) {
        if (plan.drain() != null) {
            return ", cold";
        }
        return plan.estimate(BYTES_PER_SECOND)
                .filter(time -> plan.bytes() > 0)
                .map(time -> ", about %s: %s with --rate %s"
                        .formatted(Amounts.mebibytes(plan.bytes()), Amounts.duration(time), RATE))
                .orElse(". How many bytes that is, is not known");
    }

    private static void print(Terminal terminal, Plan plan) {
        if (plan.isEmpty()) {
            terminal.out().println("Nothing to do.");
        }
        boolean hasLoads = plan.shares().stream().anyMatch(share -> share.loadBefore() > 0);
        if (!plan.isEmpty() || hasLoads) {
            table(plan, hasLoads).lines().forEach(terminal.out()::println);
            terminal.out().println();
        }
        for (PlannedMove move : plan.moves()) {
            terminal.out()
                    .println("%s -> %s: %s, %s"
                            .formatted(
                                    move.from(), move.to(), slots(move.slots().size()), move.slots()));
        }
        if (!plan.isEmpty()) {
            terminal.out()
                    .println("%s %s%s."
                            .formatted(
                                    slots(plan.movedSlots()), plan.movedSlots() == 1 ? "moves" : "move", amount(plan)));
        }
        plan.warnings().forEach(warning -> terminal.out().println("Warning: " + warning + "."));
    }

    /** Returns the changes of each partition. Memory is shown if it is known of a partition. */
    private static Table table(Plan plan, boolean hasLoads) {
        double total = plan.shares().stream().mapToLong(PlanShare::loadBefore).sum();
        boolean hasBytes = !hasLoads && plan.shares().stream().anyMatch(share -> share.bytesBefore() > 0);
        List<String> headings = new ArrayList<>(List.of("Partition"));
        if (hasLoads) {
            headings.addAll(List.of("Load now", "share", "then", "share"));
        }
        headings.addAll(List.of("Slots now", "then", "change"));
        if (hasBytes) {
            headings.addAll(List.of("Memory now", "then about"));
        }
        Table table = new Table(headings.toArray(String[]::new));
        for (PlanShare share : plan.shares()) {
            List<Object> row = new ArrayList<>(List.of(share.partition().name()));
            if (hasLoads) {
                row.addAll(List.of(share.loadBefore(), Amounts.percent(share.loadBefore() / total)));
                row.addAll(List.of(share.loadAfter(), Amounts.percent(share.loadAfter() / total)));
            }
            int change = share.slotsAfter() - share.slotsBefore();
            row.addAll(List.of(share.slotsBefore(), share.slotsAfter(), String.format(Locale.ROOT, "%+,d", change)));
            if (hasBytes) {
                row.addAll(List.of(Cell.bytes(share.bytesBefore()), Cell.bytes(share.bytesAfter())));
            }
            table.row(row.toArray());
        }
        return table;
    }
}

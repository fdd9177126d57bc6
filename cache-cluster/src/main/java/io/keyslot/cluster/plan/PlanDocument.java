// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

import io.keyslot.client.json.CanonicalJson;
import io.keyslot.client.json.JsonFields;
import io.keyslot.client.json.JsonProblems;
import io.keyslot.client.json.JsonReader;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.map.PartitionForm;
import io.keyslot.client.register.Generation;
import io.keyslot.slot.SlotRange;
import io.keyslot.slot.SlotSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A plan as text: canonical JSON with a checksum, so that changes by hand are detected. */
public final class PlanDocument {
    private static final int FORMAT = 1;

    private final JsonProblems problems = new JsonProblems();

    private PlanDocument() {}

    public static byte[] write(Plan plan) {
        return CanonicalJson.write(Map.of("format", FORMAT, "plan", body(plan), "sha256", sumOf(plan)))
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Parses a document; throws {@link PlanRefusedException} with all problems if it is invalid or was changed. */
    public static Plan read(byte[] bytes) {
        try {
            return new PlanDocument().plan(JsonReader.read(bytes));
        } catch (JsonReader.JsonException e) {
            throw new PlanRefusedException("The plan is not JSON " + e.getMessage());
        }
    }

    static String sumOf(Plan plan) {
        return CanonicalJson.sha256(CanonicalJson.write(body(plan)));
    }

    private static Map<String, @Nullable Object> body(Plan plan) {
        Map<String, @Nullable Object> body = new HashMap<>(Map.of(
                "generation", plan.base().generation().toString(),
                "version", plan.base().version(),
                "request", plan.request(),
                "steps", steps(plan.steps()),
                "back", steps(plan.back()),
                "moves", plan.moves().stream().map(PlanDocument::move).toList(),
                "shares", plan.shares().stream().map(PlanDocument::share).toList(),
                "bytes", plan.bytes(),
                "warnings", plan.warnings()));
        if (plan.drain() != null) {
            body.put("drainMillis", plan.drain().toMillis());
        }
        return body;
    }

    private static Map<String, Object> steps(PlanSteps steps) {
        return Map.of(
                "first", steps.first().stream().map(PartitionForm::write).toList(),
                "last", steps.last().stream().map(PartitionForm::write).toList());
    }

    private static Map<String, Object> move(PlannedMove move) {
        return Map.of(
                "from", move.from().name(),
                "to", move.to().name(),
                "slots", move.slots().toString());
    }

    private static Map<String, Object> share(PlanShare share) {
        return Map.of(
                "partition", share.partition().name(),
                "slotsBefore", share.slotsBefore(),
                "slotsAfter", share.slotsAfter(),
                "bytesBefore", share.bytesBefore(),
                "bytesAfter", share.bytesAfter(),
                "loadBefore", share.loadBefore(),
                "loadAfter", share.loadAfter());
    }

    private Plan plan(@Nullable Object json) {
        JsonFields document = JsonFields.of(json, problems);
        document.number("format", FORMAT, FORMAT);
        String sum = document.text("sha256");
        JsonFields body = document.object("plan");
        document.refuseOthers();
        Optional<MapStamp> base = problems.make(
                body.pathOf("generation"),
                () -> new MapStamp(
                        Generation.parse(body.text("generation")),
                        body.number("version", 1, MapStamp.HIGHEST_VERSION)));
        String request = body.text("request");
        PlanSteps steps = steps(body.object("steps"));
        PlanSteps back = steps(body.object("back"));
        List<PlannedMove> moves = moves(body);
        List<PlanShare> shares = shares(body);
        long bytes = body.number("bytes", 0, MapStamp.HIGHEST_VERSION);
        List<String> warnings = new ArrayList<>(body.array("warnings").texts().values());
        Duration drain = body.has("drainMillis")
                ? Duration.ofMillis(body.number("drainMillis", 0, MapStamp.HIGHEST_VERSION))
                : null;
        body.refuseOthers();
        if (base.isPresent() && problems.all().isEmpty()) {
            Plan plan = new Plan(base.get(), request, steps, moves, back, shares, bytes, warnings, drain);
            if (sumOf(plan).equals(sum)) {
                return plan;
            }
            problems.add("sha256", "is not the sum of the plan: it was changed after it was made");
        }
        throw new PlanRefusedException("The plan cannot be used: " + String.join("; ", problems.all()));
    }

    private PlanSteps steps(JsonFields fields) {
        PlanSteps steps = new PlanSteps(partitions(fields, "first"), partitions(fields, "last"));
        fields.refuseOthers();
        return steps;
    }

    private List<MappedPartition> partitions(JsonFields fields, String name) {
        List<MappedPartition> partitions = new ArrayList<>();
        for (JsonFields partition : fields.objects(name)) {
            PartitionForm.read(partition, problems).ifPresent(partitions::add);
            partition.refuseOthers();
        }
        return partitions;
    }

    private List<PlannedMove> moves(JsonFields body) {
        List<PlannedMove> moves = new ArrayList<>();
        for (JsonFields fields : body.objects("moves")) {
            String from = fields.text("from");
            String to = fields.text("to");
            String slots = fields.text("slots");
            fields.refuseOthers();
            problems.make(
                            fields.path(),
                            () -> new PlannedMove(
                                    PartitionForm.nameOf(from), PartitionForm.nameOf(to), SlotSet.parse(slots)))
                    .ifPresent(moves::add);
        }
        return moves;
    }

    private List<PlanShare> shares(JsonFields body) {
        List<PlanShare> shares = new ArrayList<>();
        for (JsonFields fields : body.objects("shares")) {
            String name = fields.text("partition");
            int slotsBefore = (int) fields.number("slotsBefore", 0, SlotRange.END);
            int slotsAfter = (int) fields.number("slotsAfter", 0, SlotRange.END);
            long bytesBefore = fields.number("bytesBefore", 0, MapStamp.HIGHEST_VERSION);
            long bytesAfter = fields.number("bytesAfter", 0, MapStamp.HIGHEST_VERSION);
            long loadBefore = fields.number("loadBefore", 0, MapStamp.HIGHEST_VERSION);
            long loadAfter = fields.number("loadAfter", 0, MapStamp.HIGHEST_VERSION);
            fields.refuseOthers();
            problems.make(
                            fields.path(),
                            () -> new PlanShare(
                                    PartitionForm.nameOf(name),
                                    slotsBefore,
                                    slotsAfter,
                                    bytesBefore,
                                    bytesAfter,
                                    loadBefore,
                                    loadAfter))
                    .ifPresent(shares::add);
        }
        return shares;
    }
}

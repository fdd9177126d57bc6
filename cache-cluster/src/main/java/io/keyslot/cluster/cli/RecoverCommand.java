// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.catalogue.CatalogueAnswer;
import io.keyslot.client.catalogue.InstancesCatalogue;
import io.keyslot.client.catalogue.InstancesCatalogue.InstanceCopies;
import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.slot.PartitionId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "recover",
        description = "Restores the agreement on the map after a majority of the deciding instances lost its data.",
        footer = {
            "Applications continue meanwhile; only the map cannot be changed. First it shows the map that it would"
                    + " use; confirm that map. Map changes of which no instance that answers has a copy are lost: keep clients running,"
                    + " they send their copies to instances that have none. Exits with 5 if there is still a majority.",
            "  keyslot recover --confirm 1-8f3a21c09d4be677/17 --config keyslot.yaml"
        })
final class RecoverCommand extends OperatorCommand {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    @Option(
            names = "--gone",
            paramLabel = "<name>",
            split = ",",
            description = "Partitions that will never return with their data.")
    private List<String> gone = List.of();

    @Option(
            names = "--confirm",
            paramLabel = "<map>",
            description = "The map to use, as this command shows it when run without this option.")
    private @Nullable String confirmed;

    @Override
    public Integer call() {
        try (OpenCatalogue catalogue = connection.catalogue()) {
            if (!(catalogue.catalogue() instanceof InstancesCatalogue instances)) {
                throw new RefusedException("Only instances lose what was agreed on; this catalogue is another one");
            }
            InstanceCopies copies = catalogue.copies().orElse(InstanceCopies.NONE);
            if (copies.copies().isEmpty()) {
                throw new RefusedException(
                        "No instance that answers has a copy of a map: there is nothing to go on from");
            }
            Optional<MapStamp> from = copies.copies().values().stream()
                    .filter(copy -> copy.toString().equals(confirmed))
                    .findFirst();
            if (from.isEmpty()) {
                report(copies, newest(copies, catalogue.newest().stamp()));
                return ExitCode.REFUSED;
            }
            Optional<String> unknown = gone.stream()
                    .filter(name ->
                            catalogue.newest().partition(new PartitionId(name)).isEmpty())
                    .findFirst();
            if (unknown.isPresent()) {
                throw new RefusedException("There is no partition %s in map %s: nothing was done"
                        .formatted(unknown.get(), catalogue.newest().stamp()));
            }
            return recover(catalogue, instances, from.get());
        }
    }

    /** Returns the newest confirmed map or, if a majority is lost, the newest map of which a copy exists. */
    private static MapStamp newest(InstanceCopies copies, MapStamp known) {
        return copies.copies().containsValue(known)
                ? known
                : copies.copies().values().stream().reduce(known, (one, other) -> other.isNewerThan(one) ? other : one);
    }

    private void report(InstanceCopies copies, MapStamp newest) {
        if (!copies.lost().isEmpty()) {
            progress("These are to decide, and have lost their memory: " + names(copies.lost()));
        }
        copies.silent().forEach((instance, why) -> progress("%s does not answer: %s".formatted(instance, why)));
        if (Set.copyOf(copies.copies().values()).size() > 1) {
            new TreeMap<>(copies.copies())
                    .forEach((instance, copy) -> progress("%s has a copy of map %s%s"
                            .formatted(
                                    instance,
                                    copy,
                                    copies.doubted().contains(instance) ? ", which no majority confirms" : "")));
        }
        progress("The newest copy is map %s. To go on from it: keyslot recover --confirm %s".formatted(newest, newest));
        if (confirmed != null) {
            progress("Nothing was done: no instance that answers has a copy of map %s".formatted(confirmed));
        }
    }

    private static String names(Set<PartitionId> instances) {
        return instances.stream().map(PartitionId::name).sorted().collect(Collectors.joining(", "));
    }

    private int recover(OpenCatalogue catalogue, InstancesCatalogue instances, MapStamp from) {
        Set<PartitionId> never = new HashSet<>();
        gone.forEach(name -> never.add(new PartitionId(name)));
        MapCommit commit = catalogue.commit("recover", "a majority of those who decide was lost");
        CompletableFuture<CatalogueAnswer> recovered = instances.recover(
                commit.operation(), from, map -> new PartitionMap(map.stamp(), commit, map.content()), never);
        CatalogueAnswer answer =
                catalogue.time().await(recovered, LONGEST, () -> new CatalogueAnswer.Unknown("no answer in time"));
        if (answer instanceof CatalogueAnswer.Ok ok) {
            String map = ok.map().stamp().toString();
            print(() -> Map.of("map", map), () -> List.of("Map " + map));
            return ExitCode.OK;
        }
        if (!(answer instanceof CatalogueAnswer.Unknown)) {
            throw new RefusedException("Nothing was done: " + answer.why());
        }
        progress(ErrorLine.of(
                "The recovery has ended half-way: %s. Traffic goes on, and the map cannot be changed until it is done. Begin it again:"
                        .formatted(answer.why())));
        progress("  keyslot recover");
        return ExitCode.FAILED;
    }
}

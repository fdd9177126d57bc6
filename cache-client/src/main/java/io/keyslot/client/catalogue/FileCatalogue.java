// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import io.keyslot.client.map.MapStamp;
import io.keyslot.client.map.PartitionMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The map in a file: for one machine, or for a directory that something else distributes. Clients only read it; the operator's
 * command writes.
 *
 * <ul>
 *   <li>A reader sees one whole map: a new one takes the place of the old one in one step, when it is on the disk.
 *   <li>Of two writers one has the lock, a file beside it; the other one is told so at once, and has changed nothing.
 *   <li>Beside it is the list of all changes, by which a repeated one is known. A change is listed when it was made; who comes
 *       next lists one that was made and not listed.
 * </ul>
 *
 * <p>No file is the map of the configuration. One that cannot be read is no map, and is left alone.
 */
public final class FileCatalogue implements Catalogue {
    private final Path file;
    private final PartitionMap configured;
    private final Executor executor;

    /** @param executor runs what waits for the disk */
    public FileCatalogue(Path file, PartitionMap configured, Executor executor) {
        this.file = file.toAbsolutePath();
        this.configured = configured;
        this.executor = executor;
    }

    private <T> CompletableFuture<T> run(Supplier<T> work, Function<String, T> otherwise) {
        try {
            return CompletableFuture.supplyAsync(work, executor)
                    .exceptionally(failure -> otherwise.apply(String.valueOf(failure.getMessage())));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(otherwise.apply("this client has too much to do, or is closing"));
        }
    }

    @Override
    public CompletableFuture<CatalogueAnswer> read() {
        return run(() -> present(MapTexts::changeable), CatalogueAnswer.Unavailable::new);
    }

    private CatalogueAnswer present(Function<String, PartitionMap> reader) {
        try {
            return new CatalogueAnswer.Ok(load(reader));
        } catch (IOException | IllegalArgumentException e) {
            return new CatalogueAnswer.Unavailable("the map %s cannot be read: %s".formatted(file, e));
        }
    }

    private PartitionMap load(Function<String, PartitionMap> reader) throws IOException {
        try {
            return reader.apply(Files.readString(file));
        } catch (NoSuchFileException e) {
            return configured;
        }
    }

    @Override
    public CompletableFuture<Optional<MapStamp>> peek() {
        return copy().thenApply(copy -> copy.map(PartitionMap::stamp));
    }

    @Override
    public CompletableFuture<Optional<PartitionMap>> copy() {
        return run(() -> present(MapTexts::read), CatalogueAnswer.Unavailable::new)
                .thenApply(
                        answer -> answer instanceof CatalogueAnswer.Ok ok ? Optional.of(ok.map()) : Optional.empty());
    }

    @Override
    public CompletableFuture<CatalogueAnswer> compareAndSet(PartitionMap next) {
        return run(() -> change(next), CatalogueAnswer.Unknown::new);
    }

    @Override
    public CompletableFuture<CatalogueAnswer> repeat(PartitionMap next) {
        return compareAndSet(next);
    }

    private CatalogueAnswer change(PartitionMap next) {
        boolean isReplacing = false;
        try (FileChannel channel =
                        FileChannel.open(beside(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = locked(channel)) {
            if (lock == null) {
                return new CatalogueAnswer.Unavailable("somebody else is changing the map %s".formatted(file));
            }
            PartitionMap present = load(MapTexts::changeable);
            list(present);
            if (isListed(next)) {
                return new CatalogueAnswer.Ok(present);
            }
            Optional<CatalogueAnswer> objection = MapSuccession.objection(present, next);
            if (objection.isPresent()) {
                return objection.get();
            }
            Path written = beside(".next");
            write(written, MapTexts.write(next), StandardOpenOption.TRUNCATE_EXISTING);
            isReplacing = true;
            replace(written);
            list(next);
            return new CatalogueAnswer.Ok(next);
        } catch (IOException | IllegalArgumentException e) {
            String why = "the map %s cannot be changed: %s".formatted(file, e);
            return isReplacing ? new CatalogueAnswer.Unknown(why) : new CatalogueAnswer.Unavailable(why);
        }
    }

    private Path beside(String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }

    private static @Nullable FileLock locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException byThisProcess) {
            return null;
        }
    }

    private static void write(Path to, String text, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(to, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private void replace(Path written) throws IOException {
        try {
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("the file system cannot replace a file in one step", e);
        }
        Path directory = file.getParent();
        if (directory != null) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /** Lists the change that has made a map, unless it is the last one that is listed. */
    private void list(PartitionMap made) throws IOException {
        List<String> listed = changes();
        String line = line(made);
        if (!Files.exists(file)
                || (!listed.isEmpty() && listed.get(listed.size() - 1).equals(line))) {
            return;
        }
        write(beside(".changes"), line + "\n", StandardOpenOption.APPEND);
    }

    private static String line(PartitionMap made) {
        return made.stamp() + " " + made.commit().operation();
    }

    private boolean isListed(PartitionMap change) throws IOException {
        String operation = " " + change.commit().operation();
        return changes().stream().anyMatch(line -> line.endsWith(operation));
    }

    private List<String> changes() throws IOException {
        try {
            return Files.readAllLines(beside(".changes"));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    @Override
    public CompletableFuture<List<MapChange>> history() {
        return run(
                () -> {
                    try {
                        List<String> lines = changes();
                        return lines.subList(Math.max(0, lines.size() - MOST_CHANGES), lines.size()).stream()
                                .map(FileCatalogue::change)
                                .toList();
                    } catch (IOException | IllegalArgumentException e) {
                        return List.<MapChange>of();
                    }
                },
                why -> List.of());
    }

    /** Reads what {@link #line} writes. */
    private static MapChange change(String line) {
        int space = line.indexOf(' ');
        int slash = line.lastIndexOf('/', space);
        if (slash < 0) {
            throw new IllegalArgumentException("no line of a change");
        }
        return new MapChange(Long.parseLong(line.substring(slash + 1, space)), line.substring(space + 1));
    }

    @Override
    public void watch(Runnable hint) {}

    @Override
    public void close() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.map.MapCommit;
import io.keyslot.client.map.PartitionMap;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCatalogueTest extends CatalogueContract {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path directory;

    @Override
    protected Catalogue open() {
        return new FileCatalogue(directory.resolve("map.json"), CONFIGURED, Runnable::run);
    }

    private static PartitionMap changed(PartitionMap map, String operation) {
        return map.next(new MapCommit(operation, "test", "", Instant.EPOCH), content -> content);
    }

    @Test
    void whatCannotBeRead_isNoMap_andIsLeftAlone() throws IOException {
        Path file = directory.resolve("map.json");
        Files.writeString(file, "{}");

        assertThat(open().read().join()).isInstanceOf(CatalogueAnswer.Unavailable.class);
        assertThat(open().copy().join()).isEmpty();
        assertThat(open().compareAndSet(changed(CONFIGURED, "a")).join())
                .isInstanceOf(CatalogueAnswer.Unavailable.class);
        assertThat(file).hasContent("{}");
    }

    @Test
    void aMapOfALaterForm_isFollowed_andNotChanged() throws IOException {
        Path file = directory.resolve("map.json");
        PartitionMap map = changed(CONFIGURED, "a");
        Files.writeString(file, MapTexts.write(map).replace("\"format\":1", "\"format\":2"));

        assertThat(open().copy().join()).contains(map);
        assertThat(open().read().join())
                .isInstanceOfSatisfying(
                        CatalogueAnswer.Unavailable.class,
                        unavailable -> assertThat(unavailable.why()).contains("a later version of Keyslot"));
        assertThat(open().compareAndSet(changed(map, "b")).join()).isInstanceOf(CatalogueAnswer.Unavailable.class);
        assertThat(open().copy().join()).contains(map);
    }

    @Test
    void whileSomebodyElseHasTheLock_nothingIsChanged() throws IOException {
        try (FileChannel channel = FileChannel.open(
                        directory.resolve("map.json.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThat(open().compareAndSet(changed(CONFIGURED, "a")).join())
                    .isInstanceOf(CatalogueAnswer.Unavailable.class);
        }
        assertThat(open().compareAndSet(changed(CONFIGURED, "a")).join()).isInstanceOf(CatalogueAnswer.Ok.class);
    }

    @Test
    void aWriterThatDiedBeforeItListedItsChange_hasMadeIt() throws IOException {
        PartitionMap first = ((CatalogueAnswer.Ok)
                        open().compareAndSet(changed(CONFIGURED, "first")).join())
                .map();
        Files.delete(directory.resolve("map.json.changes"));
        PartitionMap second = changed(first, "second");

        assertThat(open().compareAndSet(second).join()).isEqualTo(new CatalogueAnswer.Ok(second));
        assertThat(open().repeat(changed(CONFIGURED, "first")).join()).isEqualTo(new CatalogueAnswer.Ok(second));
    }
}

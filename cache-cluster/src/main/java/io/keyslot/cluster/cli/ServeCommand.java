// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.client.config.ClientOptions;
import io.keyslot.client.config.ClientOptions.Engine;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.web.SignIns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "serve",
        description = {
            "Serves a live web page with partitions, slots, load and moves, until Ctrl-C.",
            "It keeps 15 minutes of history. Only this machine can open the page, and changes need a token."
        },
        footer = {
            "A token of 16 characters or more shows keys, and lets its owner pause, resume and abort moves. One that is"
                    + " given by --token is seen by all who may list processes.",
            "From elsewhere: ssh -L 8080:127.0.0.1:8080 <machine>",
            "  keyslot serve --port 8080 --token-file token.txt --config keyslot.yaml"
        })
final class ServeCommand extends OperatorCommand {
    private static final int MOST_PORT = 65_535;
    private static final Duration BETWEEN_SAMPLES = Duration.ofMinutes(1);

    @Option(
            names = "--port",
            paramLabel = "<port>",
            defaultValue = "8080",
            description = "The port; 8080 by default, 0 for any free port.")
    private int port;

    @Option(names = "--token", paramLabel = "<text>", description = "The token.")
    private @Nullable String token;

    @Option(names = "--token-file", paramLabel = "<file>", description = "A file with the token in its first line.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--sample",
            paramLabel = "<n>",
            defaultValue = "5000",
            description =
                    "How many keys of each partition are sampled each minute while a browser shows the page, approximately;"
                            + " 5000 by default, 0 for none.")
    private long sample;

    @Override
    public Integer call() throws IOException {
        ClientOptions options = connection.options();
        if (options.engine() == Engine.EMBEDDED) {
            throw new RefusedException(
                    "Partitions that live in the process of the application are not seen by commands");
        }
        OpenCatalogue.refuseCluster(options);
        if (port < 0 || port > MOST_PORT || sample < 0) {
            throw misused("--port is from 0 to %d, and --sample is not negative".formatted(MOST_PORT), null);
        }
        try (OperatorPage page =
                OperatorPage.open(port, signIns(), new OperatorPage.Rhythm(BETWEEN_SAMPLES, sample), connection)) {
            CountDownLatch ended = new CountDownLatch(1);
            Runnable end = () -> {
                page.close();
                ended.countDown();
                terminal().end().accept(ExitCode.OK);
            };
            Runtime.getRuntime().addShutdownHook(new Thread(end, "keyslot-serve-end"));
            print(
                    () -> Map.of("address", page.address(), "mayChange", page.mayChange()),
                    () -> List.of("The page is at %s%s"
                            .formatted(page.address(), page.mayChange() ? "" : ", and changes nothing: no token")));
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.OK;
    }

    private SignIns signIns() throws IOException {
        if (token != null && tokenFile != null) {
            throw misused("--token and --token-file cannot be used together", null);
        }
        try {
            return new SignIns(tokenFile == null ? token : firstLine(tokenFile));
        } catch (IllegalArgumentException e) {
            throw misused(ErrorLine.messageOf(e), e);
        }
    }

    private String firstLine(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw misused("%s is not a file that can be read".formatted(file), null);
        }
        return Files.readString(file).lines().findFirst().orElse("").strip();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.serve;

import io.keyslot.cluster.cli.shared.ConnectionOptions;
import io.keyslot.cluster.demo.Onlooker;
import io.keyslot.cluster.terminal.Terminal;
import io.keyslot.cluster.web.SignIns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/** Serves the page for the servers of a demo, with its own token, until the process is terminated. */
public final class DemoPage implements Onlooker {
    private static final OperatorPage.Rhythm OFTEN = new OperatorPage.Rhythm(Duration.ofSeconds(5), 20_000);

    private final Terminal terminal;
    private final OperatorPage page;

    private DemoPage(Terminal terminal, OperatorPage page) {
        this.terminal = terminal;
        this.page = page;
    }

    /** Opens the page. Port 0 selects a free port. */
    public static DemoPage open(int port, Terminal terminal, String addresses) {
        String token = UUID.randomUUID().toString();
        try {
            OperatorPage page = OperatorPage.open(port, new SignIns(token), OFTEN, ConnectionOptions.to(addresses));
            terminal.err().println("The page is at %s, its token %s".formatted(page.address(), token));
            return new DemoPage(terminal, page);
        } catch (IOException e) {
            throw new UncheckedIOException("The page cannot be served at port " + port, e);
        }
    }

    @Override
    public void stay() {
        terminal.err().println("The servers and the page stay until this is ended (Ctrl-C).");
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException ended) {
            // The normal end; the servers still have to be stopped in order.
        }
    }

    @Override
    public void close() {
        page.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * Runs servers in containers that share the network and the folder of their host, so that tests see no difference. For
 * Linux, where a container can share the network of its host.
 */
final class ContainerLauncher implements Launcher {
    private static final DockerImageName IMAGE = DockerImageName.parse("valkey/valkey:8.1");

    @Override
    public Process start(List<String> arguments, Path directory, Path log) throws IOException {
        GenericContainer<?> container = container(arguments, directory, log);
        container.start();
        return new Running(container);
    }

    static GenericContainer<?> container(List<String> arguments, Path directory, Path log) throws IOException {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--logfile", log.toString()));
        String folder = String.valueOf(directory.getParent());
        String user = Files.getAttribute(directory, "unix:uid").toString();
        return new GenericContainer<>(IMAGE)
                .withNetworkMode("host")
                .withWorkingDirectory(directory.toString())
                .withCreateContainerCmdModifier(command -> {
                    command.withEntrypoint("valkey-server").withUser(user);
                    Objects.requireNonNull(command.getHostConfig()).withBinds(new Bind(folder, new Volume(folder)));
                })
                .withCommand(all.toArray(String[]::new))
                // LocalServer waits for the answer to a PING, and reports a server that has ended with its log.
                .withStartupCheckStrategy(new StartupCheckStrategy() {
                    @Override
                    public StartupStatus checkStartupState(DockerClient client, String id) {
                        return StartupStatus.SUCCESSFUL;
                    }
                });
    }

    @Override
    public void signal(Process server, String name) {
        GenericContainer<?> container = ((Running) server).container;
        DockerClient docker = container.getDockerClient();
        if (name.equals("STOP")) {
            docker.pauseContainerCmd(container.getContainerId()).exec();
        } else {
            docker.unpauseContainerCmd(container.getContainerId()).exec();
        }
    }

    /** A container numbers its processes by itself. */
    @Override
    public boolean isProcess(Process server, long id) {
        return true;
    }

    @Override
    public String toString() {
        return IMAGE.asCanonicalNameString();
    }

    /** A container as a process, without its streams. */
    private static final class Running extends Process {
        private static final int PAUSE_MILLIS = 20;

        private final GenericContainer<?> container;

        Running(GenericContainer<?> container) {
            this.container = container;
        }

        private ContainerState state() {
            return container.getCurrentContainerInfo().getState();
        }

        @Override
        public boolean isAlive() {
            return Boolean.TRUE.equals(state().getRunning());
        }

        @Override
        public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
            long end = System.nanoTime() + unit.toNanos(timeout);
            while (isAlive()) {
                if (System.nanoTime() - end > 0) {
                    return false;
                }
                Thread.sleep(PAUSE_MILLIS);
            }
            return true;
        }

        @Override
        public int waitFor() throws InterruptedException {
            while (!waitFor(1, TimeUnit.DAYS)) {
                Thread.onSpinWait();
            }
            return exitValue();
        }

        @Override
        public int exitValue() {
            Long code = state().getExitCodeLong();
            if (isAlive() || code == null) {
                throw new IllegalThreadStateException("The container runs");
            }
            return code.intValue();
        }

        @Override
        public void destroy() {
            if (Boolean.TRUE.equals(state().getPaused())) {
                container
                        .getDockerClient()
                        .unpauseContainerCmd(container.getContainerId())
                        .exec();
            }
            if (isAlive()) {
                container
                        .getDockerClient()
                        .killContainerCmd(container.getContainerId())
                        .exec();
            }
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }
    }
}

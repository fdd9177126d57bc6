// SPDX-License-Identifier: Apache-2.0
package io.keyslot.tck;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A process that runs the whole kit of JSR-107, and prints a line for each test: {@code passed} or {@code failed}, and its name. With the argument {@value
 * #WITH_LOG} its log is among these lines.
 */
final class KitJvm {
    static final String WITH_LOG = "with-log";

    private static final String SOME_CLASS = "org/jsr107/tck/CachingTest.class";

    private KitJvm() {}

    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).contains(WITH_LOG)) {
            System.setErr(System.out);
        }
        List<DiscoverySelector> classes = classNames().stream()
                .<DiscoverySelector>map(name -> selectClass(name))
                .toList();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(classes)
                                .build(),
                        new Printer());
        System.out.println("end");
        System.exit(0); // whatever threads a test has left
    }

    private static List<String> classNames() throws IOException {
        URL inTheKit = Objects.requireNonNull(KitJvm.class.getClassLoader().getResource(SOME_CLASS));
        try (JarFile kit = ((JarURLConnection) inTheKit.openConnection()).getJarFile()) {
            return kit.stream()
                    .map(ZipEntry::getName)
                    .filter(file -> file.matches("javax/cache/.*Test1?\\.class|org/jsr107/tck/.*Test\\.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .toList();
        }
    }

    private static final class Printer implements TestExecutionListener {
        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                String outcome = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL ? "passed" : "failed";
                System.out.printf("%s %s%n", outcome, nameOf(test));
            }
        }

        private static String nameOf(TestIdentifier test) {
            return test.getSource()
                    .map(source -> source instanceof MethodSource method
                            ? method.getClassName() + "#" + method.getMethodName()
                            : source.toString())
                    .orElse(test.getUniqueId());
        }
    }
}
